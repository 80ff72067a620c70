// SPDX-License-Identifier: Apache-2.0
/** Messages that are found by their tags, for programs that don't want to know how an adapter compares them. */
@NullMarked
package org.hcaactors.client.messages;

import org.jspecify.annotations.NullMarked;
