// SPDX-License-Identifier: MIT
package rigmark.netty;

/** Starts, and ends with one sentence where that is impossible. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        try {
            Options options = Options.read(words);
            Server server = Server.start(options);
            // The JVM ends with 143 after SIGTERM by itself; the contract wants 0.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                server.drain();
                Runtime.getRuntime().halt(0);
            }));
        } catch (Exception fault) {
            System.err.println("netty: " + fault.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }
}
