// SPDX-License-Identifier: Apache-2.0
/** Services over connections: messages in shared receives, requests with replies, and clients that connect again. */
@NullMarked
package org.hcaactors.client.service;

import org.jspecify.annotations.NullMarked;
