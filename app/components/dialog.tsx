import { Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { limits } from "../../contract/limits.ts";
import { useEscape } from "./use-escape.ts";

/**
 * A dialog over the screen; on a phone it fills the screen. An accidental click outside does not close it, so nothing
 * typed is lost.
 */
export function Dialog({ closeButtonProps, ...props }: Omit<ModalProps, "closeOnEscape">) {
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels / 16}em)`);
  useEscape(props.opened, props.onClose);
  return (
    <Modal
      closeOnEscape={false}
      closeOnClickOutside={false}
      fullScreen={phone ?? false}
      closeButtonProps={{ "aria-label": "Close", ...closeButtonProps }}
      {...props}
    />
  );
}
