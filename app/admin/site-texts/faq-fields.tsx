import { contentLimits } from "../../../contract/content-limits.ts";
import { Stack, Textarea, Title } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type FaqAnswers, shippedFaq } from "../../../contract/faq.ts";
import type { SectionEditor } from "./section-form.tsx";

type Typed = Record<string, string>;

const shipped = () => Object.fromEntries(shippedFaq.flatMap(({ faqs }) => faqs).map(({ id, answer }) => [id, answer]));

/** The questions are fixed; an emptied answer becomes the shipped one again. */
export const faqEditor: SectionEditor<FaqAnswers, Typed> = {
  typedOf: (answers) => {
    const typed: Typed = shipped();
    for (const [id, answer] of Object.entries(answers)) if (answer !== undefined) typed[id] = answer;
    return typed;
  },
  contentOf: (typed) => {
    const original = shipped();
    return Object.fromEntries(
      Object.entries(typed).filter(([id, answer]) => answer.trim() !== "" && answer.trim() !== original[id]),
    );
  },
  Fields,
};

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  return shippedFaq.map(({ title, faqs }, group) => (
    <Stack key={title} component="section" gap="md" aria-label={title}>
      <Title order={3} fz={18}>
        {title}
      </Title>
      {faqs.map(({ id, question }, index) => (
        <Textarea
          key={id}
          label={question}
          data-autofocus={(group === 0 && index === 0) || undefined}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={contentLimits.faqAnswerLengthMax}
          {...form.getInputProps(id)}
        />
      ))}
    </Stack>
  ));
}
