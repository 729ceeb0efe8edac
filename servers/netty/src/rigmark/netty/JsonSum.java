// SPDX-License-Identifier: MIT
package rigmark.netty;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.math.BigInteger;

/** Workload {@code json-sum}: Jackson's parser is fed with what arrives, and numbers are added as it finds them. */
final class JsonSum implements Body {
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    private final ByteArrayFeeder feeder;
    private long sum;
    /** What did not fit {@code sum} on the way; the end may fit again. */
    private BigInteger rest = BigInteger.ZERO;
    private boolean any;
    private boolean begun;
    private boolean ended;
    private boolean wrong;

    JsonSum() {
        try {
            parser = JSON.createNonBlockingByteArrayParser();
            feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void add(ByteBuf part) {
        if (wrong || !part.isReadable()) {
            return;
        }
        // Jackson skips a byte order mark, which is no JSON.
        wrong = !any && part.getByte(part.readerIndex()) == (byte) 0xEF;
        any = true;
        byte[] bytes = new byte[part.readableBytes()];
        part.readBytes(bytes);
        parse(() -> feeder.feedInput(bytes, 0, bytes.length));
    }

    @Override
    public String response() {
        parse(feeder::endOfInput);
        try {
            parser.close();
        } catch (IOException nothingIsLost) {
            wrong = true;
        }
        if (wrong || !ended) {
            return null;
        }
        BigInteger total = rest.add(BigInteger.valueOf(sum));
        return total.bitLength() < Long.SIZE ? "sum = " + total : null;
    }

    private interface Feed {
        void run() throws IOException;
    }

    private void parse(Feed feed) {
        if (wrong) {
            return;
        }
        try {
            feed.run();
            for (JsonToken token = parser.nextToken(); token != null && token != JsonToken.NOT_AVAILABLE && !wrong; token = parser.nextToken()) {
                take(token);
            }
        } catch (IOException notJson) {
            wrong = true;
        }
    }

    private void take(JsonToken token) throws IOException {
        if (!begun) {
            begun = true;
            wrong = token != JsonToken.START_ARRAY;
        } else if (ended) {
            wrong = true;
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            plus();
        } else {
            ended = token == JsonToken.END_ARRAY;
            wrong = !ended;
        }
    }

    private void plus() throws IOException {
        if (parser.getNumberType() == NumberType.BIG_INTEGER) {
            rest = rest.add(parser.getBigIntegerValue());
            return;
        }
        long number = parser.getLongValue();
        long next = sum + number;
        if (((sum ^ next) & (number ^ next)) < 0) {
            rest = rest.add(BigInteger.valueOf(sum));
            next = number;
        }
        sum = next;
    }
}
