// SPDX-License-Identifier: Apache-2.0
/** What a model of adapter can do, in groups by feature, and where models answer differently. */
@NullMarked
package org.hcaactors.api.capability;

import org.jspecify.annotations.NullMarked;
