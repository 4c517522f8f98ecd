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
 * A button that opens a menu. The menu's script is fetched when the button is pointed at or has focus; the menu takes the
 * button over, with its focus, when it is first pressed.
 */
export function MenuButton<Props extends object>({
  load,
  button,
  menu,
}: {
  load: Load<Props>;
  button: Button;
  /** What the menu is about. */
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

/** Whether a menu that came by a press of its button is open: at first not yet, so that it opens as others do. */
export function useOpenedByPress() {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return { opened, onChange: setOpened };
}
