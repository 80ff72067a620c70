// SPDX-License-Identifier: Apache-2.0
/**
 * Tag matching: receives that wait for messages by their tags, which an adapter compares and fills by itself, and messages of
 * which only a description is sent until the receiver's adapter fetches the rest.
 */
@NullMarked
package org.hcaactors.api.tag;

import org.jspecify.annotations.NullMarked;
