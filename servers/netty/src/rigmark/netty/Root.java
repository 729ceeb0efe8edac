// SPDX-License-Identifier: MIT
package rigmark.netty;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Finds files below one folder and nowhere else: no part of a name leads up, and no link is followed. */
final class Root {
    private final Path folder;

    Root(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder that can be served.");
        }
        this.folder = folder.toRealPath();
    }

    /** Null where there is no regular file of that name. */
    FileChannel open(String name) throws IOException {
        try {
            String[] parts = name.split("/", -1);
            if (parts.length < 2) {
                return null;
            }
            Path path = folder;
            for (int i = 1; i < parts.length; i++) {
                if (parts[i].isEmpty() || parts[i].equals(".") || parts[i].equals("..")) {
                    return null;
                }
                path = path.resolve(parts[i]);
                var found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                // Asked before it is opened, because opening a pipe would wait for its writer.
                if (i + 1 < parts.length ? !found.isDirectory() : !found.isRegularFile()) {
                    return null;
                }
            }
            return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (IllegalArgumentException strange) {
            return null;
        } catch (FileSystemException missing) {
            if (missing.getReason() != null && missing.getReason().contains("Too many open files")) {
                throw missing;
            }
            return null;
        }
    }
}
