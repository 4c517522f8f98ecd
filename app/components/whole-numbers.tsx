import classes from "./unbroken.module.css";

/** Numbers that people call something by within a sentence, as "Q-000030" or "SOC/26-27/000011", each in one piece. */
export const WholeNumbers = ({ text }: { text: string }) =>
  text.split(/(\b[A-Z]+[-/]\d[\d/-]*)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className={classes.unbroken}>
        {part}
      </span>
    ),
  );
