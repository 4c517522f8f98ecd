import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { toast } from "../toast.ts";
import { UnderWay } from "./still-loading.tsx";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Shown in place of a part whose script can't be loaded. */
export const gone = "This part of the page could not be loaded. Please reload the page and try again.";

/** Tells that a part's script can't be loaded: no connection, or a newer version of the site has replaced it. */
export const partIsGone = () => toast.error(gone, { id: gone });

/**
 * A dialog or panel whose script is loaded when it is first opened. `closed` are the props that close it: it mounts
 * closed and then opens, as if it had always been there. If the script can't be loaded, the user is told and `onClose`
 * is called.
 */
export function openedLater<Props extends { onClose: () => void }>(
  load: Load<Props>,
  closed: Partial<Props>,
): ComponentType<Props> {
  const names = Object.keys(closed) as (keyof Props)[];
  return function OpenedLater(props) {
    const { onClose } = props;
    const isOpened = names.some((name) => props[name] !== closed[name]);
    const { Part, failed } = useLoaded(load, isOpened);
    const [isIn, setIsIn] = useState(false);
    useEffect(() => setIsIn(Part !== null), [Part]);
    useEffect(() => {
      if (!failed || !isOpened) return;
      partIsGone();
      onClose();
    }, [failed, isOpened, onClose]);
    if (!Part) return isOpened ? <UnderWay /> : null;
    return <Part {...props} {...(!isIn && closed)} />;
  };
}

/** Stands in for a part whose script can't be loaded. */
export const PartIsGone = () => (
  <p role="alert" className="part-is-gone">
    {gone}
  </p>
);

/**
 * A part of a screen whose script is loaded when it is first rendered; `waiting` holds its place until then,
 * `otherwise` replaces it if the script can't be loaded.
 */
export function shownLater<Props extends object>(
  load: Load<Props>,
  waiting: (props: Props) => ReactNode,
  otherwise: (props: Props) => ReactNode = PartIsGone,
): ComponentType<Props> {
  return function ShownLater(props) {
    const { Part, failed } = useLoaded(load, true);
    if (Part) return <Part {...props} />;
    return failed ? otherwise(props) : waiting(props);
  };
}

/** The component that `load` gives, requested once `wanted`; a failure is left to the caller to tell. */
export function useLoaded<Props>(load: Load<Props>, wanted: boolean) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> | null; failed: boolean }>(nothing);
  useEffect(() => {
    if (!wanted || loaded.Part) return undefined;
    let isHere = true;
    const keep = (next: typeof loaded) => isHere && setLoaded(next);
    load().then(
      ({ default: Part }) => keep({ Part, failed: false }),
      () => keep({ Part: null, failed: true }),
    );
    return () => {
      isHere = false;
      setLoaded((before) => (before.failed ? nothing : before));
    };
  }, [load, wanted, loaded.Part]);
  return loaded;
}

const nothing = { Part: null, failed: false };
