// SPDX-License-Identifier: MIT
package rigmark.netty;

import io.netty.util.NetUtil;
import java.nio.file.Path;
import java.util.List;

/** The command line. Every error is one sentence. */
record Options(String address, int port, Path root, int workers, boolean nativeEpoll) {
    private static final List<String> NAMES = List.of("--address", "--port", "--root", "--workers", "--native-epoll");

    static Options read(String[] words) {
        String address = "127.0.0.1";
        int port = 8080;
        Path root = null;
        int workers = 2;
        boolean nativeEpoll = false;
        for (int i = 0; i < words.length; i += 2) {
            String name = words[i];
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        name + " is not known; there are --address, --port, --root, --workers and --native-epoll.");
            }
            if (i + 1 == words.length) {
                throw new IllegalArgumentException(name + " has no value.");
            }
            String value = words[i + 1];
            switch (name) {
                case "--address" -> address = numeric(value);
                case "--port" -> port = number(name, value, 0, 65535);
                case "--root" -> root = Path.of(value);
                case "--workers" -> workers = number(name, value, 1, 1024);
                default -> nativeEpoll = number(name, value, 0, 1) == 1;
            }
        }
        if (root == null) {
            throw new IllegalArgumentException("--root is needed: the folder whose files are served.");
        }
        return new Options(address, port, root, workers, nativeEpoll);
    }

    /** Java would look a name up, and listen on whatever that is today. */
    private static String numeric(String value) {
        if (NetUtil.isValidIpV4Address(value) || (NetUtil.isValidIpV6Address(value) && !value.startsWith("["))) {
            return value;
        }
        throw new IllegalArgumentException("--address must be a numeric IPv4 or IPv6 address, and not \"" + value + "\".");
    }

    private static int number(String name, String value, int least, int most) {
        if (value.matches("\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException(name + " must be a number from " + least + " to " + most + ", and not \"" + value + "\".");
    }
}
