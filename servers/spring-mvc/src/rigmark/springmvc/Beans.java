// SPDX-License-Identifier: MIT
package rigmark.springmvc;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.core.TokenStreamFactory;

/** What no property can say. */
@Configuration(proxyBeanMethods = false)
class Beans implements WebMvcConfigurer {
    /** Responses are text and nothing else, so whatever a client would rather have, this is what it gets, and no 406. */
    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer negotiation) {
        negotiation.ignoreAcceptHeader(true).defaultContentType(MediaType.ALL);
    }

    /** JSON is UTF-8 (RFC 8259, 8.1), where Jackson would guess. */
    @Bean
    JsonFactoryBuilderCustomizer onlyUtf8() {
        return builder -> builder.disable(TokenStreamFactory.Feature.CHARSET_DETECTION);
    }

    /** Spring leaves out of a path what stands behind a semicolon; here it is another name, and nobody has it. */
    @Bean
    Filter wholeNames() {
        return (request, response, chain) -> {
            if (((HttpServletRequest) request).getRequestURI().indexOf(';') < 0) {
                chain.doFilter(request, response);
            } else {
                ((HttpServletResponse) response).sendError(HttpServletResponse.SC_NOT_FOUND);
            }
        };
    }

    /** Half of Tomcat's own size: each of thousands of silent connections holds both. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setProperty("socket.appReadBufSize", "4096");
            connector.setProperty("socket.appWriteBufSize", "4096");
        });
    }
}
