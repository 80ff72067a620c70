// SPDX-License-Identifier: Apache-2.0
/** Addresses of peers: GIDs, paths, UD queue pairs and DC targets. */
@NullMarked
package org.hcaactors.api.address;

import org.jspecify.annotations.NullMarked;
