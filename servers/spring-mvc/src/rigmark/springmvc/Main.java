// SPDX-License-Identifier: MIT
package rigmark.springmvc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts, and ends with one sentence where that is impossible. Without Spring's page for errors, which is a path of its own. */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
public class Main {
    public static void main(String[] words) {
        SpringApplication application = new SpringApplication(Main.class);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Settings.ALL);
        try {
            ConfigurableApplicationContext context = application.run(words);
            // The JVM ends with 143 after SIGTERM by itself; the contract wants 0.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                context.close();
                Runtime.getRuntime().halt(0);
            }));
        } catch (RuntimeException fault) {
            System.err.println("spring-mvc: " + sentence(fault));
            Runtime.getRuntime().halt(1);
        }
    }

    private static String sentence(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException taken) {
                return "port " + taken.getPort() + " is in use; choose another.";
            }
            if (cause instanceof WebServerException) {
                return cause.getMessage() + ": " + fault.getMessage();
            }
        }
        return fault.toString();
    }
}
