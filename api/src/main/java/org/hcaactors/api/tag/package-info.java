// SPDX-License-Identifier: Apache-2.0
/**
 * Tag matching by the adapter, and the rendezvous protocol: only a description of a message is sent, and the receiver's adapter
 * fetches the data.
 */
@NullMarked
package org.hcaactors.api.tag;

import org.jspecify.annotations.NullMarked;
