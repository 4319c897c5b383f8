insert into product (id, name, stock)
select id, name, stock
from (values
  (1, 'Bicycle bell', 200),
  (2, 'Desk lamp', 40),
  (3, 'Garden chair', 12),
  (4, 'Hand-made vase', 1),
  (5, 'Poster, out of print', 0),
  (6, 'Tea pot', 25),
  (7, 'Umbrella', 100)) as seed (id, name, stock)
where not exists (select 1 from product);
