// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.buffer.ByteBuf;

/** Takes a request's body as it comes and keeps none of it. */
interface Body {
    void add(ByteBuf part);

    /** The response to the whole body; null where the body is wrong. */
    String response();
}
