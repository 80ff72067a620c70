// SPDX-License-Identifier: Apache-2.0
/** What an adapter knows of its own port: addresses and partition keys. */
@NullMarked
package org.hcaactors.adapter.port;

import org.jspecify.annotations.NullMarked;
