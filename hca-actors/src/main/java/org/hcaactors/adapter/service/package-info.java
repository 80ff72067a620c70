// SPDX-License-Identifier: Apache-2.0
/** What the objects of an adapter use, and what the adapter must know to make one. */
@NullMarked
package org.hcaactors.adapter.service;

import org.jspecify.annotations.NullMarked;
