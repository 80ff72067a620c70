// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.HashMap;
import java.util.Map;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;

/**
 * What adapters are that a world plugs in because a test names them, and by which cables.
 *
 * @param profile of those of which nobody says another one
 * @param link of those that have none of their own
 * @param links by the names of adapters
 */
public record AdapterPlan(Profile profile, LinkProperties link, Map<String, LinkProperties> links) {
    /** ConnectX-5, each on a link of 1 us and 100 Gbit/s. */
    public static final AdapterPlan DEFAULT = new AdapterPlan(Profile.CONNECTX_5, World.DEFAULT_LINK, Map.of());

    public AdapterPlan {
        links = Map.copyOf(links);
    }

    /** IllegalArgumentException if there is none of that name, which says which there are. */
    public static Profile profileNamed(String name) {
        return Profile.named(name)
                .orElseThrow(() -> new IllegalArgumentException("no profile " + name + "; there are "
                        + String.join(
                                ", ", Profile.ALL.stream().map(Profile::name).toList())));
    }

    public AdapterPlan with(Profile other) {
        return new AdapterPlan(other, link, links);
    }

    /** For all that have none of their own. */
    public AdapterPlan with(LinkProperties other) {
        return new AdapterPlan(profile, other, links);
    }

    /** For the adapter of that name. */
    public AdapterPlan with(String adapter, LinkProperties own) {
        Map<String, LinkProperties> more = new HashMap<>(links);
        more.put(adapter, own);
        return new AdapterPlan(profile, link, more);
    }

    LinkProperties linkOf(String adapter) {
        return links.getOrDefault(adapter, link);
    }
}
