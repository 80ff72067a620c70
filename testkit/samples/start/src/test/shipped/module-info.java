// SPDX-License-Identifier: Apache-2.0
/** A program of a user's that also records, and tests itself. */
module org.hcaactors.samples.shipped {
    requires jdk.jfr;
    requires org.hcaactors.lab;
    requires org.hcaactors.views;
}
