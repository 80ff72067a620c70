// SPDX-License-Identifier: Apache-2.0
/** What every transport stands on: the seams of initiator and target, ledger and window, receives, terms, the turn and its effects. */
@NullMarked
package org.hcaactors.adapter.work;

import org.jspecify.annotations.NullMarked;
