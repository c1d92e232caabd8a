package dev.holdfast.cli.command;

import dev.holdfast.cli.command.ElectCommand.Restart;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of {@code never}, {@code on-failure} and {@code always}. */
final class RestartText implements ITypeConverter<Restart> {

    @Override
    public Restart convert(String text) {
        return Arrays.stream(Restart.values())
                .filter(restart -> restart.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not one of "
                        + Arrays.stream(Restart.values()).map(Restart::toString).collect(Collectors.joining(", "))));
    }
}
