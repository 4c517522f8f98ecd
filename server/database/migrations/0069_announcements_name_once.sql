-- by hand
-- Merges of before left the customer twice in announcements that named both.
update announcements set organisation_ids = (
    select array_agg(id order by place) from (
      select id, min(place) as place from unnest(organisation_ids) with ordinality as named(id, place) group by id
    ) as each)
  where cardinality(organisation_ids) > (select count(distinct id) from unnest(organisation_ids) as id);
