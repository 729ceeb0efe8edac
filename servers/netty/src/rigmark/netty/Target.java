// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.handler.codec.http.QueryStringDecoder;

/** The target of a request: origin form and absolute form mean the same. */
final class Target {
    private Target() {}

    /** The path without a query, decoded once; empty where the target has none or encodes nothing with its percent signs. */
    static String path(String target) {
        int start = 0;
        if (!target.startsWith("/")) {
            int host = target.indexOf("://");
            start = host < 0 ? -1 : target.indexOf('/', host + 3);
            if (start < 0) {
                return "";
            }
        }
        int query = target.indexOf('?', start);
        return decoded(target.substring(start, query < 0 ? target.length() : query));
    }

    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        try {
            // A plus is a plus in a path.
            return QueryStringDecoder.decodeComponent(path.replace("+", "%2B"));
        } catch (IllegalArgumentException strange) {
            return "";
        }
    }
}
