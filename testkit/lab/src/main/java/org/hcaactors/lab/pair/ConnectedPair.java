// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import org.hcaactors.api.device.Adapter;
import org.hcaactors.network.RdmaNetwork;

/** Two connected RC queue pairs, ready to send; the usual start of examples and tests. */
public record ConnectedPair(RcEnd a, RcEnd b) {
    public static ConnectedPair between(RdmaNetwork network, Adapter a, Adapter b) {
        return between(network, a, b, Shape.DEFAULT);
    }

    public static ConnectedPair between(RdmaNetwork network, Adapter a, Adapter b, Shape shape) {
        Half left = Half.of(network, a, shape);
        Half right = Half.of(network, b, shape);
        Ends<RcEnd> ends = RcEnd.connect(network, left, right, shape.attributes());
        return new ConnectedPair(ends.a(), ends.b());
    }
}
