// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/** Responses without what depends on the connection. */
final class Response {
    static final AsciiString TEXT = AsciiString.cached("text/plain");
    private static final AsciiString BYTES = AsciiString.cached("application/octet-stream");
    private static final AsciiString SCRIPT = AsciiString.cached("text/javascript");
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final ByteBuf HELLO_BYTES = Unpooled.unreleasableBuffer(Unpooled.directBuffer(HELLO.length).writeBytes(HELLO).asReadOnly());

    private Response() {}

    static HttpResponse hello() {
        return whole(HttpResponseStatus.OK, TEXT, HELLO_BYTES.duplicate());
    }

    static HttpResponse text(HttpResponseStatus status, String text) {
        return whole(status, TEXT, Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** A status with its own name as the body. */
    static HttpResponse bare(HttpResponseStatus status) {
        return text(status, status.reasonPhrase() + "\n");
    }

    static HttpResponse whole(HttpResponseStatus status, AsciiString kind, ByteBuf body) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        describe(response.headers(), kind, body.readableBytes());
        return response;
    }

    /** Not through the codec, which would count it as the response itself. */
    static ByteBuf goOn() {
        return Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII);
    }

    /** The whole file. Where it has become shorter the response is not made to fit: there is none. */
    static HttpResponse file(ByteBufAllocator memory, FileChannel file, int length, String path) throws IOException {
        ByteBuf content = memory.directBuffer(length);
        while (content.readableBytes() < length) {
            int got = content.writeBytes(file, content.readableBytes(), length - content.readableBytes());
            if (got < 0) {
                content.release();
                throw new IOException("the file shrank");
            }
        }
        return whole(HttpResponseStatus.OK, kind(path), content);
    }

    /** Of a body that is sent apart. */
    static HttpResponse head(AsciiString kind, long length) {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        describe(response.headers(), kind, length);
        return response;
    }

    static AsciiString kind(String name) {
        return name.endsWith(".js") ? SCRIPT : BYTES;
    }

    private static void describe(HttpHeaders headers, AsciiString kind, long length) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, kind);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, length);
    }
}
