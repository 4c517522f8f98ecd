import { useEffect } from "react";
import { shownLater } from "../components/later.tsx";
import { bannerRoomKey } from "../session.ts";
import { useNews } from "./use-news.ts";

const BannerList = shownLater(() => import("./banner-list.tsx"), BannerRoom);

/** The current announcements; their script is loaded if there are any, and their space is reserved until then. */
export function Banners() {
  const { data, isPending } = useNews();
  const none = data?.banners.length === 0;
  useEffect(() => {
    if (none) localStorage.removeItem(bannerRoomKey);
  }, [none]);
  if (isPending) return <BannerRoom />;
  return data && !none ? <BannerList /> : null;
}

/** Reserves the banners' last height, so that the screen below does not move when they come. */
function BannerRoom() {
  const [width, height] = (localStorage.getItem(bannerRoomKey) ?? "").split(" ").map(Number);
  return width === innerWidth && <div style={{ height }} />;
}
