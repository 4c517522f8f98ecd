import { shownLater } from "../components/later.tsx";
import { useNews } from "./use-news.ts";

const BannerList = shownLater(
  () => import("./banner-list.tsx"),
  () => null,
);

/** The announcements that hold now; their script comes when there are any. */
export function Banners() {
  const { data } = useNews();
  return data && data.banners.length > 0 ? <BannerList /> : null;
}
