"""Stand-ins for the I2C bus with a display on it: what a chip's memory holds after luma's own commands."""

from __future__ import annotations

import errno
import threading
from typing import Any

from luma.core.interface.serial import i2c
from luma.oled import device
from PIL import Image

from hardware.outfit import DisplaySettings

# How many more bytes follow a command of these chips.
ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1, 0xAD: 1}
SH1106_OFFSET = 2
"""The chip's memory is 132 columns wide; the glass shows 128 of them, from the third on."""


class Glass:
    """A bus like smbus2's with one chip on it, which does what the data sheets of SSD1306 and SH1106 say."""

    def __init__(self, address: int = 0x3C):
        self.address = address
        self.memory: dict[tuple[int, int], int] = {}
        self.is_on = False
        self.contrast = 0x7F
        self.is_plugged = True
        self.writes = 0
        self.hold: threading.Event | None = None
        self._page = self._column = 0
        self._window = (0, 127, 0, 7)
        self._is_horizontal = False

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        if self.hold is not None:
            self.hold.wait(60)
        if address != self.address or not self.is_plugged:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.writes += 1
        if register == 0x40:
            for value in data:
                self._store(value)
        else:
            self._obey(list(data))

    def _obey(self, data: list[int]) -> None:
        while data:
            command, *data = data
            count = ARGUMENTS.get(command, 0)
            given, data = data[:count], data[count:]
            if command == 0x81:
                self.contrast = given[0]
            elif command == 0x20:
                self._is_horizontal = given[0] == 0
            elif command == 0x21:
                self._window = (given[0], given[1], *self._window[2:])
                self._column = given[0]
            elif command == 0x22:
                self._window = (*self._window[:2], given[0], given[1])
                self._page = given[0]
            elif command in (0xAE, 0xAF):
                self.is_on = command == 0xAF
            elif 0xB0 <= command <= 0xB7:
                self._page, self._is_horizontal = command - 0xB0, False
            elif command <= 0x0F:
                self._column = self._column & 0xF0 | command
            elif 0x10 <= command <= 0x1F:
                self._column = self._column & 0x0F | (command & 0x0F) << 4

    def _store(self, value: int) -> None:
        self.memory[self._page, self._column] = value
        self._column += 1
        if self._is_horizontal and self._column > self._window[1]:
            self._column = self._window[0]
            self._page = self._page + 1 if self._page < self._window[3] else self._window[2]

    def picture(self, settings: DisplaySettings) -> Image.Image:
        """What is seen on the glass; both chips are built in so that luma's remapped columns come out upright."""
        shift = SH1106_OFFSET if settings.chip == "sh1106" else 0
        picture = Image.new("1", settings.pixels)
        for (page, column), value in self.memory.items():
            for bit in range(8):
                spot = column - shift, page * 8 + bit
                if value >> bit & 1 and 0 <= spot[0] < picture.width and spot[1] < picture.height:
                    picture.putpixel(spot, 1)
        return picture

    def opens(self, settings: DisplaySettings) -> Any:
        """Luma's own device and its own serial interface, on this bus."""
        width, height = settings.pixels
        make = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[settings.chip]
        serial = i2c(bus=self, address=settings.address)
        return make(serial, width=width, height=height, rotate=2 if settings.turned else 0)
