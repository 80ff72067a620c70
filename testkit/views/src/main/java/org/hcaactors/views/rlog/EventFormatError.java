// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Octets;

/** Analysis of a text that cannot be read as an event: it is invalid, or of a later version. */
final class EventFormatError {
    private static final Set<Class<?>> TEXTS = Set.of(String.class, Octets.class, Element.class);

    private EventFormatError() {}

    /** True if it contains an enum constant, a kind or an access right that this version does not know. */
    static boolean isOfLaterVersion(JsonMappingException wrong) {
        return switch (wrong) {
            case LaterKindException kind -> true;
            case InvalidTypeIdException kind -> kind.getTypeId() != null;
            case InvalidFormatException constant ->
                constant.getTargetType() != null
                        && constant.getTargetType().isEnum()
                        && constant.getValue() instanceof String name
                        && !name.isBlank();
            case ValueInstantiationException refused -> refused.getType().hasRawClass(AccessFlags.class);
            default -> false;
        };
    }

    /**
     * Returns the error to report.
     *
     * @param event the data as they were read, together with the port
     */
    static RlogFormatException refusal(JsonMappingException wrong, JsonNode event) {
        String path = "";
        JsonNode value = event;
        for (Reference step : wrong.getPath()) {
            path += step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName();
            value = step.getFieldName() == null ? value.path(step.getIndex()) : value.path(step.getFieldName());
        }
        String field = path.equals(".port") ? "port" : "data" + path;
        if (value.isMissingNode() || value.isNull()) {
            return Fields.missing(field);
        }
        if (wrong instanceof InvalidTypeIdException || isByHand(wrong)) {
            return new RlogFormatException(field + " is " + Fields.shown(value) + ": " + words(wrong));
        }
        return Fields.wrong(field, value, allowed(wrong));
    }

    /** True if a reader or constructor of this project refused the value. */
    private static boolean isByHand(JsonMappingException wrong) {
        return wrong.getCause() instanceof IllegalArgumentException || wrong.getClass() == JsonMappingException.class;
    }

    private static String words(JsonMappingException wrong) {
        if (wrong instanceof InvalidTypeIdException) {
            return "the object has no type";
        }
        Throwable cause = wrong.getCause();
        String words =
                cause == null ? wrong.getOriginalMessage() : Objects.toString(cause.getMessage(), cause.toString());
        return words.lines().findFirst().orElse("");
    }

    private static String allowed(JsonMappingException wrong) {
        Class<?> type = wrong instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return type == null ? "a value of another type" : allowed(type);
    }

    private static String allowed(Class<?> type) {
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == int.class || type == OptionalInt.class) {
            return "an integer of 32 bits";
        }
        if (type == long.class || type == OptionalLong.class) {
            return "an integer of 64 bits";
        }
        if (List.class.isAssignableFrom(type)) {
            return "a list";
        }
        return TEXTS.contains(type) || type.isEnum() ? "a string" : "an object";
    }
}
