-- Each poll writes its devices anew, once a minute: with half of each page left free it does so in place, without new entries
-- in the indexes.
alter table engine_devices set (fillfactor = 50);
