// SPDX-License-Identifier: Apache-2.0
/** An adapter's view of its own port: addresses and partition keys. */
@NullMarked
package org.hcaactors.adapter.port;

import org.jspecify.annotations.NullMarked;
