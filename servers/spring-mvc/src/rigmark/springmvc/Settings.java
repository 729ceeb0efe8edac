// SPDX-License-Identifier: MIT
package rigmark.springmvc;

import java.util.Map;

/** Spring Boot's own settings, where they are not its defaults. */
final class Settings {
    static final Map<String, Object> ALL = Map.ofEntries(
            // One line at most, and no word about requests.
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("logging.level.root", "off"),
            Map.entry("logging.pattern.console", "%msg%n"),
            // Only what the workloads need.
            Map.entry("spring.web.resources.add-mappings", "false"),
            Map.entry("spring.servlet.multipart.enabled", "false"),
            // Responses under way have three seconds.
            Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "3s"),
            // Connections stay: without end in requests, for two minutes when idle, and as many as come.
            Map.entry("server.tomcat.max-keep-alive-requests", "-1"),
            Map.entry("server.tomcat.keep-alive-timeout", "120s"),
            Map.entry("server.tomcat.connection-timeout", "120s"),
            Map.entry("server.tomcat.max-connections", "1000000"),
            Map.entry("server.tomcat.accept-count", "4096"),
            Map.entry("server.max-http-request-header-size", "9KB"),
            Map.entry("server.tomcat.max-http-response-header-size", "4KB"),
            // All numbers are held until the last has come, so there is an end to them.
            Map.entry("spring.jackson.factory.constraints.read.max-document-length", "4194304"),
            // Jackson as strict as the contract: no "1" and no 1.5. It refuses null and anything after the array by itself.
            Map.entry("spring.jackson.mapper.allow-coercion-of-scalars", "false"),
            Map.entry("spring.jackson.deserialization.accept-float-as-int", "false"));

    private Settings() {}
}
