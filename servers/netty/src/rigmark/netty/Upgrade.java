// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import java.util.Base64;

/** From HTTP to a WebSocket. */
final class Upgrade {
    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;
    private static final WebSocketDecoderConfig CONFIG =
            WebSocketDecoderConfig.newBuilder().maxFramePayloadLength(Echo.MESSAGE_BYTES).allowExtensions(false).build();

    private Upgrade() {}

    static boolean isWanted(HttpRequest request) {
        var headers = request.headers();
        return request.method().equals(HttpMethod.GET)
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                && !HttpUtil.isTransferEncodingChunked(request)
                && HttpUtil.getContentLength(request, 0L) == 0;
    }

    static HttpResponse required() {
        HttpResponse response = Response.bare(HttpResponseStatus.UPGRADE_REQUIRED);
        response.headers().set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
        return response;
    }

    /** False where the handshake is none; the connection is untouched then. */
    static boolean run(ChannelHandlerContext context, HttpRequest request) {
        if (!isKey(request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
            return false;
        }
        var whole = new DefaultFullHttpRequest(
                request.protocolVersion(), request.method(), request.uri(), Unpooled.EMPTY_BUFFER, request.headers(), EmptyHttpHeaders.INSTANCE);
        context.pipeline().addLast(new Utf8FrameValidator(), new Echo());
        new WebSocketServerHandshaker13(null, null, CONFIG).handshake(context.channel(), whole);
        context.pipeline().remove(context.handler());
        return true;
    }

    private static boolean isKey(String key) {
        try {
            return key != null && Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }
}
