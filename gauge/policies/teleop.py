"""A person as the policy: keyboard or SpaceMouse through robosuite's devices, both cameras in a window."""

import time
from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError
from gauge.sim.libero import _quiet_robosuite

STEP_S = 0.05
# robosuite's own gains for OSC_POSE: device units to normalised position and rotation deltas.
GAINS = {"keyboard": (75.0, 1.5), "spacemouse": (125.0, 50.0)}
WINDOW = "gauge teleop"
IDLE = 1e-6

Show = Callable[[NDArray[np.uint8]], None]


class Device(Protocol):
    """robosuite's devices."""

    def start_control(self) -> None:
        """Forget what was pressed before."""

    def get_controller_state(self) -> dict[str, Any]:
        """What was asked for since the last call: dpos [3], raw_drotation [3], grasp and reset (0 or 1)."""


class TeleopPolicy:
    """Answers what a person commands, 20 times a second at most.

    Time stands still once nothing was commanded for `idle_steps` steps, so that thinking leaves no pauses in the
    demonstration; the few idle steps before that let a released object come to rest.
    """

    identity = "teleop/1"

    def __init__(
        self,
        device: Literal["keyboard", "spacemouse"] = "keyboard",
        image_size: int = 384,
        position_gain: float = 1.0,
        rotation_gain: float = 1.0,
        idle_steps: int = 5,
        open_device: Callable[[], Device] | None = None,
        show: Show | None = None,
    ) -> None:
        """Nothing is opened yet.

        Args:
            device: `keyboard` or `spacemouse`.
            image_size: side of each camera's picture in the window, pixels.
            position_gain: factor on robosuite's own gain for positions.
            rotation_gain: factor on robosuite's own gain for rotations.
            idle_steps: control steps (50 ms) without a command until time stands still.
            open_device: what else to read commands from.
            show: what else to show frames with, uint8 [H, 2 W, 3], RGB.

        Raises:
            GaugeError: an unknown device, or a setting out of bounds.
        """
        if device not in GAINS:
            raise GaugeError(f"model.device={device} is unknown; devices are {', '.join(GAINS)}")
        if image_size < 64 or idle_steps < 1:
            raise GaugeError("model.image_size is at least 64 and model.idle_steps at least 1")
        self.spec = PolicySpec(image_size=(image_size, image_size), state="none", chunk=1, executed=1)
        position, rotation = GAINS[device]
        self._gains = position * position_gain, rotation * rotation_gain
        self._idle_steps = idle_steps
        self._open = open_device or (lambda: _robosuite_device(device))
        self._show = show or _window
        self._device: Device | None = None
        self._idle, self._gripper, self._due = idle_steps, -1.0, 0.0

    def check(self) -> None:
        """Open the device before anything is simulated.

        Raises:
            GaugeError: there is no display, no such device, or no driver for it.
        """
        self._device = self._device or self._open()

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Forget what was pressed; time starts with the first command."""
        self.check()
        assert self._device is not None
        self._device.start_control()
        self._idle, self._gripper, self._due = self._idle_steps, -1.0, 0.0
        print(f"task: {instruction}", flush=True)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The commanded action, [1, 7].

        Raises:
            PolicyError: there was no `reset` before, or the person gave this episode up.
        """
        if self._device is None:
            raise PolicyError("teleoperation was asked to act before its episode was reset")
        self._show(np.hstack([observation.images[camera] for camera in self.spec.cameras]))
        while True:
            self._wait()
            action = self._command(self._device.get_controller_state())
            changed = action[6] != self._gripper
            if changed or float(np.abs(action[:6]).max()) > IDLE:
                self._idle = 0
                break
            if self._idle < self._idle_steps:
                self._idle += 1
                break
        self._gripper = float(action[6])
        return action[None]

    def close(self) -> None:
        """Let go of the device."""
        listener = getattr(self._device, "listener", None)
        if listener is not None:
            listener.stop()
        self._device = None

    def _wait(self) -> None:
        """Sleep until the next control step is due."""
        now = time.monotonic()
        time.sleep(max(0.0, self._due - now))
        self._due = max(now, self._due) + STEP_S

    def _command(self, state: dict[str, Any]) -> NDArray[np.float64]:
        if state["reset"]:
            raise PolicyError("the person at the device gave this episode up")
        roll, pitch, yaw = np.asarray(state["raw_drotation"], dtype=np.float64)[[1, 0, 2]]
        move = np.asarray(state["dpos"], dtype=np.float64) * self._gains[0]
        turn = np.array([roll, pitch, -yaw]) * self._gains[1]
        action: NDArray[np.float64] = np.concatenate([move, turn, [1.0 if state["grasp"] else -1.0]])
        return np.clip(action, -1.0, 1.0)


def _robosuite_device(name: str) -> Device:
    _quiet_robosuite()
    try:
        if name == "spacemouse":
            from robosuite.devices.spacemouse import SpaceMouse

            mouse: Device = SpaceMouse()
            return mouse
        from robosuite.devices.keyboard import Keyboard

        keyboard: Device = Keyboard()
        return keyboard
    except Exception as error:  # the drivers raise anything from ImportError to OSError
        raise GaugeError(
            f"no {name} can be read here ({type(error).__name__}: {str(error).strip().splitlines()[0]}); it needs a "
            "display and pip install 'gauge[teleop]'"
        ) from error


def _window(frame: NDArray[np.uint8]) -> None:
    import cv2

    try:
        cv2.imshow(WINDOW, frame[:, :, ::-1])
        cv2.waitKey(1)
    except cv2.error as error:
        raise GaugeError(f"no window can be opened here, and teleoperation needs one ({error})") from error
