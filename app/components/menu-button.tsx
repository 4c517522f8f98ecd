import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ComponentType,
  type ReactElement,
  useEffect,
  useState,
} from "react";
import { partIsGone } from "./later.tsx";
import { UnderWay } from "./still-loading.tsx";

type Button = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
type Load<Props> = () => Promise<{ default: ComponentType<Props & { button: Button }> }>;

/**
 * A button that opens a menu. The menu's script is fetched when the button is hovered or focused; on the first press
 * the menu's own copy of the button replaces it and takes the focus.
 */
export function MenuButton<Props extends object>({
  load,
  button,
  menu,
}: {
  load: Load<Props>;
  button: Button;
  /** The menu's own props. */
  menu: Props;
}) {
  const [Menu, setMenu] = useState<ComponentType<Props & { button: Button }> | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  if (Menu) return <Menu {...menu} button={cloneElement(button, { autoFocus: true })} />;
  const prepare = () => void load().catch(() => {});
  const open = () => {
    setIsAsked(true);
    load()
      .then((part) => setMenu(() => part.default), partIsGone)
      .finally(() => setIsAsked(false));
  };
  return (
    <>
      {cloneElement(button, {
        "aria-haspopup": "menu",
        "aria-expanded": false,
        onPointerEnter: prepare,
        onFocus: prepare,
        onClick: open,
      })}
      {isAsked && <UnderWay />}
    </>
  );
}

/** Opens a menu right after it mounts: Mantine opens it as usual only if it was closed at first. */
export function useOpenedByPress() {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return { opened, onChange: setOpened };
}
