import { Button, Center } from "@mantine/core";

export interface More {
  load: () => void;
  loading: boolean;
}

/** The way to the next page of a list: nothing where there is none. */
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

/** Of a button that goes with the last page: whoever pressed it goes on at the first row which that page brings. */
export const loading = ({ load, loading }: More) => ({ loading, onClick: load, "data-next": "tr, li, button" });
