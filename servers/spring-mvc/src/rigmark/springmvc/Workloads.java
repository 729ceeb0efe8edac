// SPDX-License-Identifier: MIT
package rigmark.springmvc;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** A method for each workload. */
@RestController
class Workloads {
    private final ObjectReader array;

    Workloads(JsonMapper mapper) {
        array = mapper.readerFor(long[].class);
    }

    @GetMapping(path = "/plaintext", produces = MediaType.TEXT_PLAIN_VALUE)
    String plaintext() {
        return "Hello, World!";
    }

    /** Spring would respond to OPTIONS by itself, with 200. */
    @RequestMapping(path = "/plaintext", method = RequestMethod.OPTIONS)
    ResponseEntity<Void> options() {
        return ResponseEntity.status(HttpStatus.METHOD_NOT_ALLOWED).allow(HttpMethod.GET, HttpMethod.HEAD).build();
    }

    /** The body as it came: a {@code @RequestBody} that calls itself a form is put together anew, from parameters. */
    @PostMapping(path = "/json-sum", produces = MediaType.TEXT_PLAIN_VALUE)
    String sum(HttpServletRequest request) throws IOException {
        long[] numbers = array.readValue(request.getInputStream());
        if (numbers == null) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        long sum = 0;
        // What did not fit on the way; the end may fit again.
        BigInteger rest = BigInteger.ZERO;
        for (long number : numbers) {
            long next = sum + number;
            if (((sum ^ next) & (number ^ next)) < 0) {
                rest = rest.add(BigInteger.valueOf(sum));
                next = number;
            }
            sum = next;
        }
        BigInteger total = rest.add(BigInteger.valueOf(sum));
        if (total.bitLength() >= Long.SIZE) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        return "sum = " + total;
    }

    /** The body is hashed as it arrives and never held. */
    @PostMapping(path = "/upload", produces = MediaType.TEXT_PLAIN_VALUE)
    String upload(HttpServletRequest request) throws IOException, NoSuchAlgorithmException {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        try (InputStream body = new DigestInputStream(request.getInputStream(), hash)) {
            body.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(hash.digest());
    }

    @ExceptionHandler(JacksonException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    void notAnArray() {}
}
