import { Button, Center } from "@mantine/core";

export interface More {
  load: () => void;
  loading: boolean;
}

/** The button for the next page of a list; nothing if there is none. */
export function LoadMore({ more, label = "Load more" }: { more: More | undefined; label?: string }) {
  if (!more) return null;
  return (
    <Center mt="lg" className="screen-only">
      <Button variant="default" size="md" {...loading(more)}>
        {label}
      </Button>
    </Center>
  );
}

/** Props of a button that goes with the last page: the focus then moves to the first row of that page. */
export const loading = ({ load, loading }: More) => ({ loading, onClick: load, "data-next": "tr, li, button" });
