// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The listener, its connections and their end. As many event loops as workers; the first of them accepts, too. */
final class Server {
    /** For the request line and for the fields each, so that a head over 32 KiB is always refused. */
    private static final int HEAD_BYTES = 16 * 1024;
    private static final int BACKLOG = 4096;
    private static final long DRAIN_S = 3;

    private final Channel listener;
    private final ChannelGroup connections;

    private Server(Channel listener, ChannelGroup connections) {
        this.listener = listener;
        this.connections = connections;
    }

    static Server start(Options options) throws IOException {
        Root root = new Root(options.root());
        if (options.nativeEpoll() && !Epoll.isAvailable()) {
            throw new IOException("Netty's epoll transport does not work here (" + Epoll.unavailabilityCause().getMessage()
                    + "); set native-epoll to 0.");
        }
        boolean epoll = options.nativeEpoll();
        EventLoopGroup loops = epoll ? new EpollEventLoopGroup(options.workers()) : new NioEventLoopGroup(options.workers());
        Class<? extends ServerChannel> transport = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                // A client that has closed its sending side still gets its responses.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(32 * 1024, 128 * 1024))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        HttpDecoderConfig config = new HttpDecoderConfig()
                                .setMaxInitialLineLength(HEAD_BYTES)
                                .setMaxHeaderSize(HEAD_BYTES);
                        channel.pipeline().addLast(new HttpServerCodec(config), new Connection(root));
                    }
                });
        InetSocketAddress address = new InetSocketAddress(options.address(), options.port());
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(options.address() + " port " + options.port() + " could not be listened on (" + bound.cause().getMessage() + "); choose another port.");
        }
        return new Server(bound.channel(), connections);
    }

    /** No new connections; responses under way have three seconds. */
    void drain() {
        listener.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        for (Channel connection : connections) {
            connection.pipeline().fireUserEventTriggered(Drain.NOW);
        }
        connections.newCloseFuture().awaitUninterruptibly(DRAIN_S, TimeUnit.SECONDS);
    }

    /** What connections are told at the end. */
    enum Drain {
        NOW
    }
}
