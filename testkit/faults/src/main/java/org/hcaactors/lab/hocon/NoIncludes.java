// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;

/**
 * Includer that refuses includes: a file must be complete, since the limits cannot be checked for included text, and missing
 * includes would be ignored silently.
 */
final class NoIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        throw refused(what);
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        throw refused(what.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        throw refused(what.toString());
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        throw refused(what);
    }

    private static ConfigException refused(String what) {
        return new ConfigException.Generic("include \"" + what + "\": a file must not include another file");
    }
}
