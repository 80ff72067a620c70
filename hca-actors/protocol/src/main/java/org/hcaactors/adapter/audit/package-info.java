// SPDX-License-Identifier: Apache-2.0
/** What an adapter owes and holds, for whoever keeps account of it. */
@NullMarked
package org.hcaactors.adapter.audit;

import org.jspecify.annotations.NullMarked;
