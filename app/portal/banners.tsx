import { useEffect } from "react";
import { shownLater } from "../components/later.tsx";
import { bannerRoomKey } from "../session.ts";
import { useNews } from "./use-news.ts";

const BannerList = shownLater(() => import("./banner-list.tsx"), BannerRoom);

/** The announcements that hold now; their script comes when there are any, and their room is kept until then. */
export function Banners() {
  const { data, isPending } = useNews();
  const none = data?.banners.length === 0;
  useEffect(() => {
    if (none) localStorage.removeItem(bannerRoomKey);
  }, [none]);
  if (isPending) return <BannerRoom />;
  return data && !none ? <BannerList /> : null;
}

/** As much room as they took the last time, so that the screen below stays where it is when they come. */
function BannerRoom() {
  const [width, height] = (localStorage.getItem(bannerRoomKey) ?? "").split(" ").map(Number);
  return width === innerWidth && <div style={{ height }} />;
}
