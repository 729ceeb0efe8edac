// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;

/**
 * One connection: requests are taken one after the other and handled in their order. While a response cannot be sent,
 * what was read already waits in a queue, and nothing more is read.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    /** Up to this size a file is read into memory and sent with its head; above, the kernel sends it. */
    private static final int SMALL_FILE_BYTES = 64 * 1024;

    private final Root root;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();
    /** The request under way, from its head to the end of its body. */
    private HttpRequest request;
    /** Who takes its body; null where nobody does, or when it is done. */
    private Body body;
    private boolean bodyTaken;
    private boolean upgrade;
    private boolean sendingFile;
    private boolean paused;
    private boolean draining;
    private boolean inputOver;
    /** The last response is being sent. */
    private boolean ended;

    Connection(Root root) {
        this.root = root;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (paused) {
            waiting.add(message);
        } else {
            take(context, message);
        }
    }

    private void take(ChannelHandlerContext context, Object message) {
        try {
            if (!ended && message instanceof HttpRequest head) {
                begin(context, head);
            }
            if (!ended && message instanceof HttpContent part) {
                more(context, part);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest head) {
        request = head;
        body = null;
        HttpResponseStatus fault = Fault.of(head);
        if (fault != null) {
            last(context, Response.bare(fault));
            return;
        }
        String path = Target.path(head.uri());
        boolean get = head.method().equals(HttpMethod.GET) || head.method().equals(HttpMethod.HEAD);
        boolean post = head.method().equals(HttpMethod.POST);
        switch (path) {
            case "/json-sum" -> body = post ? new JsonSum() : null;
            case "/upload" -> body = post ? new Upload() : null;
            case "/ws" -> upgrade = Upgrade.isWanted(head);
            default -> {}
        }
        bodyTaken = body != null;
        if (bodyTaken) {
            if (HttpUtil.is100ContinueExpected(head)) {
                context.pipeline().firstContext().writeAndFlush(Response.goOn());
            }
        } else if (upgrade) {
            // The response follows when the request has ended.
        } else if (path.equals("/ws")) {
            respond(context, get ? Upgrade.required() : Response.bare(HttpResponseStatus.METHOD_NOT_ALLOWED));
        } else if (!get || path.equals("/json-sum") || path.equals("/upload")) {
            respond(context, Response.bare(HttpResponseStatus.METHOD_NOT_ALLOWED));
        } else if (path.equals("/plaintext")) {
            respond(context, Response.hello());
        } else {
            file(context, path);
        }
    }

    private void more(ChannelHandlerContext context, HttpContent part) {
        if (part.decoderResult().isFailure()) {
            last(context, Response.bare(HttpResponseStatus.BAD_REQUEST));
            return;
        }
        if (body != null) {
            body.add(part.content());
        }
        if (!(part instanceof LastHttpContent)) {
            return;
        }
        if (body != null) {
            String text = body.response();
            body = null;
            respond(context, text == null ? Response.bare(HttpResponseStatus.BAD_REQUEST) : Response.text(HttpResponseStatus.OK, text));
        } else if (upgrade) {
            upgrade = false;
            if (!Upgrade.run(context, request)) {
                last(context, Response.bare(HttpResponseStatus.BAD_REQUEST));
            }
        }
    }

    /** Whether the connection stays after this response. A body that nobody takes is not waited for. */
    private boolean stays() {
        return !draining && HttpUtil.isKeepAlive(request)
                && (bodyTaken || !(HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0));
    }

    private void respond(ChannelHandlerContext context, HttpResponse response) {
        if (!stays()) {
            last(context, response);
            return;
        }
        HttpUtil.setKeepAlive(response.headers(), request.protocolVersion(), true);
        context.write(response);
        if (!context.channel().isWritable()) {
            pause(context);
            context.flush();
        }
    }

    private void last(ChannelHandlerContext context, HttpResponse response) {
        ended = true;
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    private void file(ChannelHandlerContext context, String path) {
        try {
            FileChannel file = root.open(path);
            if (file == null) {
                respond(context, Response.bare(HttpResponseStatus.NOT_FOUND));
            } else if (file.size() > SMALL_FILE_BYTES) {
                large(context, file, file.size(), path);
            } else {
                try (file) {
                    respond(context, Response.file(context.alloc(), file, (int) file.size(), path));
                }
            }
        } catch (IOException fault) {
            last(context, Response.bare(HttpResponseStatus.SERVICE_UNAVAILABLE));
        }
    }

    private void large(ChannelHandlerContext context, FileChannel file, long length, String path) {
        HttpResponse head = Response.head(Response.kind(path), length);
        boolean stays = stays();
        if (stays) {
            HttpUtil.setKeepAlive(head.headers(), request.protocolVersion(), true);
        } else {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            ended = true;
        }
        sendingFile = true;
        pause(context);
        context.write(head);
        // Closes the file when it is released.
        DefaultFileRegion region = new DefaultFileRegion(file, 0, length);
        if (request.method().equals(HttpMethod.HEAD)) {
            region.release();
        } else {
            context.write(region).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
        ChannelFuture sent = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        sent.addListener(done -> {
            sendingFile = false;
            if (done.isSuccess() && stays) {
                // Later, so that a long queue of requests does not become a deep stack.
                context.executor().execute(() -> resume(context));
            } else {
                context.close();
            }
        });
    }

    private void pause(ChannelHandlerContext context) {
        paused = true;
        context.channel().config().setAutoRead(false);
    }

    private void resume(ChannelHandlerContext context) {
        if (!paused || sendingFile || !context.channel().isWritable() || context.isRemoved()) {
            return;
        }
        paused = false;
        while (!paused && !waiting.isEmpty()) {
            take(context, waiting.poll());
        }
        context.flush();
        if (!paused) {
            context.channel().config().setAutoRead(true);
            endIfIdle(context);
        }
    }

    /** When the server or the client is at its end: nothing to wait for where no request is under way. */
    private void endIfIdle(ChannelHandlerContext context) {
        if ((draining || inputOver) && !ended && !paused && body == null && !upgrade) {
            ended = true;
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.executor().execute(() -> resume(context));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == Server.Drain.NOW) {
            draining = true;
            endIfIdle(context);
        } else if (event instanceof ChannelInputShutdownEvent) {
            // Complete requests have their response; a body that is not whole will never be.
            inputOver = true;
            body = null;
            endIfIdle(context);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
        context.close();
    }
}
