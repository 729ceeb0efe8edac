// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Workload {@code upload}. */
final class Upload implements Body {
    private final MessageDigest hash;

    Upload() {
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void add(ByteBuf part) {
        hash.update(part.nioBuffer());
    }

    @Override
    public String response() {
        return HexFormat.of().formatHex(hash.digest());
    }
}
