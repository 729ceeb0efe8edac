// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/** Workload {@code ws-echo}: messages go back whole. While a client does not read, it is not read either. */
final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
    static final int MESSAGE_BYTES = 16 << 20;

    /** The fragments of a message that is not whole yet. Copied, so that they cost their bytes and nothing else, however many there are. */
    private ByteBuf parts;
    private boolean text;
    private boolean ended;

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
        if (ended || frame instanceof PongWebSocketFrame) {
            return;
        }
        ByteBuf content = frame.content();
        if (frame instanceof PingWebSocketFrame) {
            context.write(new PongWebSocketFrame(content.retain()));
        } else if (frame instanceof CloseWebSocketFrame) {
            end(context, new CloseWebSocketFrame(true, 0, content.retain()));
        } else if (parts == null && frame.isFinalFragment()) {
            context.write(message(frame instanceof TextWebSocketFrame, content.retain()));
        } else {
            gather(context, frame, content);
        }
        if (!context.channel().isWritable()) {
            context.channel().config().setAutoRead(false);
            context.flush();
        }
    }

    private void gather(ChannelHandlerContext context, WebSocketFrame frame, ByteBuf content) {
        if (parts == null) {
            parts = context.alloc().buffer(content.readableBytes());
            text = frame instanceof TextWebSocketFrame;
        }
        if (content.readableBytes() > MESSAGE_BYTES - parts.readableBytes()) {
            end(context, new CloseWebSocketFrame(WebSocketCloseStatus.MESSAGE_TOO_BIG));
            return;
        }
        parts.writeBytes(content);
        if (frame.isFinalFragment()) {
            context.write(message(text, parts));
            parts = null;
        }
    }

    private static WebSocketFrame message(boolean text, ByteBuf content) {
        return text ? new TextWebSocketFrame(content) : new BinaryWebSocketFrame(content);
    }

    private void end(ChannelHandlerContext context, CloseWebSocketFrame close) {
        ended = true;
        context.writeAndFlush(close).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event == Server.Drain.NOW) {
            end(context, new CloseWebSocketFrame(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE));
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (parts != null) {
            parts.release();
            parts = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
        context.close();
    }
}
