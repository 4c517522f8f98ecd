import { useRef } from "react";
import type { SiteSection } from "../../../contract/shown-texts.ts";
import { siteSectionNames } from "../../../contract/site-section-names.ts";
import type { SiteSettings } from "../../../contract/site-texts.ts";
import { Dialog } from "../../components/dialog.tsx";
import { leaveUnsaved, useKeepUnsaved } from "../../components/use-keep-unsaved.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { brandEditor } from "./brand-fields.tsx";
import { faqEditor } from "./faq-fields.tsx";
import { legalEditor } from "./legal-fields.tsx";
import { levelsEditor } from "./levels-fields.tsx";
import { sellerEditor } from "./seller-fields.tsx";
import { SectionForm, textsKeptAs } from "./section-form.tsx";

interface Props {
  section: SiteSection | null;
  settings: SiteSettings | undefined;
  onClose: () => void;
}

/** Changes one section of the site's texts. */
export default function TextsDialog({ section, settings, onClose }: Props) {
  const isDirty = useRef(false);
  const forget = () => section && keepTyped(textsKeptAs(section), null);
  useKeepUnsaved(() => isDirty.current, "here", forget);
  const leave = () => {
    if (isDirty.current && !window.confirm(leaveUnsaved)) return;
    isDirty.current = false;
    forget();
    onClose();
  };
  const tellDirty = (dirty: boolean) => {
    isDirty.current = dirty;
  };
  return (
    <Dialog opened={section !== null} onClose={leave} title={section ? siteSectionNames[section] : ""} fullScreen>
      {section && settings && <FormOf section={section} settings={settings} onDirty={tellDirty} onClose={leave} />}
    </Dialog>
  );
}

function FormOf({
  section,
  settings,
  ...about
}: {
  section: SiteSection;
  settings: SiteSettings;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}) {
  if (section === "brand")
    return <SectionForm section={section} held={settings.brand} editor={brandEditor} {...about} />;
  if (section === "faq") return <SectionForm section={section} held={settings.faq} editor={faqEditor} {...about} />;
  if (section === "serviceLevels")
    return <SectionForm section={section} held={settings.serviceLevels} editor={levelsEditor} {...about} />;
  if (section === "legal")
    return <SectionForm section={section} held={settings.legal} editor={legalEditor} {...about} />;
  return <SectionForm section={section} held={settings.seller} editor={sellerEditor} {...about} />;
}
