// SPDX-License-Identifier: Apache-2.0
/**
 * Common parts of all transports: requester and responder interfaces, send ledger and PSN window, receives, settings, the turn
 * and its effects.
 */
@NullMarked
package org.hcaactors.adapter.work;

import org.jspecify.annotations.NullMarked;
