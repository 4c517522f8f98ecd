import type { ReactNode } from "react";
import { PanelSection } from "../components/panel-section.tsx";
import type { TableProps } from "./data-table.tsx";
import { ListBody, type ListTexts } from "./list-body.tsx";
import { type ListName, type ListOptions, type ListRow, type ListSort, useList } from "./use-list.ts";

/** A list as a section of a panel. */
export function ListSection<Name extends ListName>({
  name,
  input,
  title,
  aside,
  level,
  ...body
}: TableProps<ListRow<Name>, ListSort<Name>> &
  ListTexts & {
    name: Name;
    input: NonNullable<ListOptions<Name>["input"]>;
    title: string;
    aside?: ReactNode;
    level?: 2 | 3;
  }) {
  const list = useList(name, { input });
  return (
    <PanelSection title={title} aside={aside} {...(level && { level })} bare>
      <ListBody caption={title} list={list} loadingRows={2} {...body} />
    </PanelSection>
  );
}
