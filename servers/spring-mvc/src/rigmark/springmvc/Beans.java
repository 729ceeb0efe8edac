// SPDX-License-Identifier: MIT
package rigmark.springmvc;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;

/** What no property can say. */
@Configuration(proxyBeanMethods = false)
class Beans {
    private static final long BODY_BYTES = 4 << 20;

    /** The contract asks for JSON and for no {@code Content-Type}: whatever the body is called, Jackson reads it. */
    @Bean
    MappingJackson2HttpMessageConverter json(ObjectMapper mapper) {
        var converter = new MappingJackson2HttpMessageConverter(mapper);
        converter.setSupportedMediaTypes(List.of(MediaType.APPLICATION_JSON, MediaType.ALL));
        return converter;
    }

    /** All numbers are held until the last has come, so there is an end to them. */
    @Bean
    Jackson2ObjectMapperBuilderCustomizer shortDocuments() {
        StreamReadConstraints constraints = StreamReadConstraints.builder().maxDocumentLength(BODY_BYTES).build();
        return builder -> builder.postConfigurer(mapper -> mapper.getFactory().setStreamReadConstraints(constraints));
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
