class Solution:
    def twoSum(self, nums: List[int], target: int) -> List[int]:
        place = {}
        for i, number in enumerate(nums):
            if target - number in place:
                return [place[target - number], i]
            place[number] = i
