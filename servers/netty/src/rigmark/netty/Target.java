// SPDX-License-Identifier: MIT
package rigmark.netty;

/** The target of a request: origin form and absolute form mean the same. */
final class Target {
    private Target() {}

    /** The path as it was sent, without a query; empty where the target has none. */
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
        return target.substring(start, query < 0 ? target.length() : query);
    }
}
