// SPDX-License-Identifier: MIT
package rigmark.netty;

import java.nio.file.Path;

/** The command line. Every error is one sentence. */
record Options(String address, int port, Path root, int workers, boolean nativeEpoll) {
    static Options read(String[] words) {
        String address = "127.0.0.1";
        int port = 8080;
        Path root = Path.of(".");
        int workers = 2;
        boolean nativeEpoll = false;
        for (int i = 0; i < words.length; i += 2) {
            String name = words[i];
            if (i + 1 == words.length) {
                throw new IllegalArgumentException(name + " has no value.");
            }
            String value = words[i + 1];
            switch (name) {
                case "--address" -> address = value;
                case "--port" -> port = number(name, value, 0, 65535);
                case "--root" -> root = Path.of(value);
                case "--workers" -> workers = number(name, value, 1, 1024);
                case "--native-epoll" -> nativeEpoll = number(name, value, 0, 1) == 1;
                default -> throw new IllegalArgumentException(
                        name + " is not known; there are --address, --port, --root, --workers and --native-epoll.");
            }
        }
        return new Options(address, port, root, workers, nativeEpoll);
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
