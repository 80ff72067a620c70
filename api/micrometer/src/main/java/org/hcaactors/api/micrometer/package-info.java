// SPDX-License-Identifier: Apache-2.0
/** What adapters count, for those who keep a service running. */
@NullMarked
package org.hcaactors.api.micrometer;

import org.jspecify.annotations.NullMarked;
